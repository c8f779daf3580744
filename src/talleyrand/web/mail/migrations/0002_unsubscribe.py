from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mail", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="departure",
            name="unsubscribe",
            field=models.CharField(blank=True, default="", max_length=300),
        ),
    ]
