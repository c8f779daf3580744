from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("background", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="begun",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
