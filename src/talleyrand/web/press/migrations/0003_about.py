from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("press", "0002_doubts")]

    operations = [
        migrations.AddField(
            model_name="letter", name="about", field=models.CharField(blank=True, default="", max_length=80)
        )
    ]
